import { createElement } from 'react';
import { icons } from './icons.ts';

export type IconName = keyof typeof icons;

type Props = { name: IconName; size?: number; className?: string | undefined };

/** A drawing beside words; it says nothing by itself, so that readers of the screen skip it. */
export function Icon({ name, size = 18, className }: Props) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {icons[name].map(([tag, attributes], index) =>
        createElement(tag, { ...attributes, key: index }),
      )}
    </svg>
  );
}
