import type { Finish, View } from './view.ts';

const gradients = ['paint', 'body', 'glass', 'upholstery'] as const;

/** Over the whole view, so that neighbours do not differ where they meet. */
export function AtlasGradients({ view, id }: { view: View; id: string }) {
  return (
    <defs>
      {gradients.map((gradient) => (
        <linearGradient
          key={gradient}
          id={`${id}-${view.name}-${gradient}`}
          gradientUnits="userSpaceOnUse"
          x1={0}
          x2={0}
          y1={0}
          y2={view.height}
        >
          <stop offset="0.05" className={`atlas-${gradient}-light`} />
          <stop offset="0.95" className={`atlas-${gradient}-deep`} />
        </linearGradient>
      ))}
    </defs>
  );
}

export function gradientOf(finish: Finish, view: View, id: string): string | undefined {
  const gradient = finish === 'pane' ? 'glass' : gradients.find((one) => one === finish);
  return gradient && `url(#${id}-${view.name}-${gradient})`;
}
