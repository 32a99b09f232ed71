import { createRootRoute } from '@tanstack/react-router';
import { Problem } from '../feedback/problem.tsx';
import { Frame } from './frame.tsx';
import { NotFound } from './not-found.tsx';

/** The parent of every page. */
export const rootRoute = createRootRoute({
  component: Frame,
  errorComponent: ({ error, reset }) => <Problem error={error} onRetry={reset} />,
  notFoundComponent: NotFound,
});
