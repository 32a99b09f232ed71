import type { LinkProps } from '@tanstack/react-router';
import { Icon, type IconName } from '../icons/icon.tsx';
import { useFormats } from '../texts/texts-provider.tsx';
import classes from './choice-links.module.css';
import { CurrentLink } from './current-link.tsx';

type Choice = {
  key: string;
  label: string;
  icon?: IconName;
  /** How many are behind it. */
  count?: number | undefined;
  link: Pick<LinkProps, 'to' | 'search'>;
};

type Props = { label: string; current: string; choices: readonly Choice[] };

/** One of a few, by address. */
export function ChoiceLinks({ label, current, choices }: Props) {
  const formats = useFormats();
  return (
    <nav className={classes.choices} aria-label={label}>
      {choices.map(({ key, label: name, icon, count, link }) => (
        <CurrentLink
          key={key}
          {...link}
          replace
          className={classes.choice}
          isCurrent={key === current}
        >
          {icon && <Icon name={icon} size={15} />}
          {name}
          {count !== undefined && <span className={classes.count}>{formats.number(count)}</span>}
        </CurrentLink>
      ))}
    </nav>
  );
}
