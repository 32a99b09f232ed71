import { Link } from '@tanstack/react-router';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './frame.module.css';
import { railPages } from './rail-pages.ts';

/** The rail of a phone. */
export function BottomBar() {
  const { frame, pages } = useTexts();
  return (
    <nav className={classes.bottom} aria-label={frame.navigation}>
      {railPages.map(({ to, icon, name }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }}>
          <Icon name={icon} size={20} />
          {pages[name]}
        </Link>
      ))}
    </nav>
  );
}
