import { Tooltip, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './frame.module.css';
import { railPages } from './rail-pages.ts';

type Props = { isCollapsed: boolean; onCollapse(isCollapsed: boolean): void };

export function Rail({ isCollapsed, onCollapse }: Props) {
  const { frame, pages } = useTexts();
  const collapseText = isCollapsed ? frame.expand : frame.collapse;
  return (
    <nav className={classes.rail} aria-label={frame.navigation}>
      <Link to="/" className={classes.brand}>
        <img src="/console/icon.svg" alt="" width={24} height={24} />
        <span className={classes.label}>{frame.product}</span>
      </Link>
      {railPages.map(({ to, icon, name }) => (
        <Tooltip key={to} label={pages[name]} position="right" disabled={!isCollapsed}>
          <Link to={to} className={classes.item} activeOptions={{ exact: to === '/' }}>
            <Icon name={icon} />
            <span className={classes.label}>{pages[name]}</span>
          </Link>
        </Tooltip>
      ))}
      <UnstyledButton
        className={`${classes.item} ${classes.collapse}`}
        onClick={() => onCollapse(!isCollapsed)}
        aria-expanded={!isCollapsed}
      >
        <Icon name={isCollapsed ? 'panel-left-open' : 'panel-left-close'} />
        <span className={classes.label}>{collapseText}</span>
      </UnstyledButton>
    </nav>
  );
}
