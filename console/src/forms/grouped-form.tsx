import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from './form.tsx';
import classes from './grouped-form.module.css';

type FormProps = {
  onSubmit(): void;
  /** Why the last try was refused. */
  refusal: unknown;
  children: ReactNode;
};

/** A form of many fields on a page, in groups; its end stays in view. */
export function GroupedForm({ onSubmit, refusal, children }: FormProps) {
  return (
    <Form className={classes.form} onSubmit={onSubmit} refusal={refusal}>
      {children}
    </Form>
  );
}

type GroupProps = {
  title: string;
  /** Of its heading, by what is above the form. */
  level?: 2 | 3;
  children: ReactNode;
};

/** Fields in pairs. */
export function FieldGroup({ title, level = 2, children }: GroupProps) {
  return (
    <section className={classes.group} aria-label={title}>
      <Title order={level} size="h3">
        {title}
      </Title>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}

export function FormEnd({ children }: { children: ReactNode }) {
  return <div className={classes.end}>{children}</div>;
}

/** The class of a field that has a line of its own. */
export const { wide } = classes;
