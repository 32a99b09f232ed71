import { Button, CloseButton, Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { useConnection } from '../session/connection.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './tour.module.css';

const pages = ['/', '/map', '/vehicles', '/incidents', '/maintenance'] as const;
const isOver = pages.length;

/** Which step of the tour is shown; it is kept in the browser, so that it is shown once. */
export const useTourStep = () =>
  useLocalStorage({ key: 'motorpool-tour', defaultValue: 0, getInitialValueInEffect: false });

/** Five steps through the demo, beside the pages that they are about; on others, a small reminder. */
export function Tour() {
  const { tour } = useTexts();
  const { settings } = useConnection();
  const navigate = useNavigate();
  const matches = useMatchRoute();
  // On the way to its page, the card stays, and keeps the focus.
  const [isGoing, setIsGoing] = useState(false);
  const [step, setStep] = useTourStep();
  const text = tour.steps[step];
  if (!settings.isDemo || !text) return null;
  const goTo = (next: number) => {
    setStep(next);
    const page = pages[next];
    if (!page) return;
    setIsGoing(true);
    void navigate({ to: page }).finally(() => setIsGoing(false));
  };
  const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && setStep(isOver);
  const isElsewhere = !isGoing && !matches({ to: pages[step] as (typeof pages)[number] });
  if (isElsewhere)
    return (
      <section
        className={classes.reminder}
        aria-label={tour.step(step + 1, isOver)}
        onKeyDown={onKeyDown}
      >
        <Button variant="subtle" onClick={() => goTo(step)}>
          {tour.step(step + 1, isOver)}
        </Button>
        <CloseButton size="md" aria-label={tour.skip} onClick={() => setStep(isOver)} />
      </section>
    );
  const isLast = step === isOver - 1;
  return (
    <section className={classes.tour} aria-labelledby="tour" onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <span className={classes.step}>{tour.step(step + 1, isOver)}</span>
        <CloseButton size="sm" aria-label={tour.skip} onClick={() => setStep(isOver)} />
      </div>
      <div aria-live="polite">
        <h2 id="tour" className={classes.title}>
          {text.title}
        </h2>
        <p className={classes.text}>{text.text}</p>
      </div>
      <Group gap="xs" justify="space-between">
        {isLast ? (
          <span />
        ) : (
          <Button variant="subtle" onClick={() => setStep(isOver)}>
            {tour.skip}
          </Button>
        )}
        <Group gap="xs">
          {step > 0 && (
            <Button variant="default" onClick={() => goTo(step - 1)}>
              {tour.back}
            </Button>
          )}
          <Button onClick={() => goTo(step + 1)}>{isLast ? tour.end : tour.next}</Button>
        </Group>
      </Group>
    </section>
  );
}
