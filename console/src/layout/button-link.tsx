import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type Props = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

/** A link to a page of the console that looks like a button. */
export const ButtonLink = createLink((props: Props) => <Button component="a" {...props} />);
