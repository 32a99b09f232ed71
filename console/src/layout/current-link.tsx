import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type Props = ComponentProps<'a'> & { isCurrent: boolean };

/** One of several links of which the page says itself which one is current: the router knows addresses alone. */
export const CurrentLink = createLink(({ isCurrent, ...props }: Props) => (
  <a {...props} aria-current={isCurrent ? 'page' : undefined} />
));
