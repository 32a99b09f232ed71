import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { openSpotlight } from '@mantine/spotlight';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { ErrorBoundary } from '../feedback/error-boundary.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import { BottomBar } from './bottom-bar.tsx';
import classes from './frame.module.css';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';
import { Tour } from './tour.tsx';

/** What surrounds every page. */
export function Frame() {
  const { frame } = useTexts();
  const [isCollapsed, setIsCollapsed] = useLocalStorage({
    key: 'motorpool-rail-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  // Of the page that is shown, and not of the one that is loading.
  const address = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.href });
  useHotkeys([['/', focusSearch]]);
  return (
    <div className={classes.frame} data-collapsed={isCollapsed || undefined}>
      <a href="#content" className={classes.skip}>
        {frame.skip}
      </a>
      <Tour />
      <Rail isCollapsed={isCollapsed} onCollapse={setIsCollapsed} />
      <TopBar />
      <main
        id="content"
        tabIndex={-1}
        className={classes.content}
        data-scroll-restoration-id="content"
      >
        <ErrorBoundary resetKey={address}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <BottomBar />
      <Palette />
    </div>
  );
}

/** The field of the page, where it has one. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (field) field.select();
  else openSpotlight();
}
