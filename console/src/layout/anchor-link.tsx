import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type Props = AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>;

/** A link in a text to a page of the console. */
export const AnchorLink = createLink((props: Props) => <Anchor {...props} />);
