import { Button, CloseButton, Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useConnection } from '../session/connection.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './tour.module.css';

const pages = ['/', '/map', '/vehicles', '/incidents', '/maintenance'] as const;
const isOver = pages.length;

/** Which step of the tour is shown; it is kept in the browser, so that it is shown once. */
export const useTourStep = () =>
  useLocalStorage({ key: 'motorpool-tour', defaultValue: 0, getInitialValueInEffect: false });

/** Five steps through the demo, beside the pages that they are about. */
export function Tour() {
  const { tour } = useTexts();
  const { settings } = useConnection();
  const navigate = useNavigate();
  const [step, setStep] = useTourStep();
  const text = tour.steps[step];
  if (!settings.isDemo || !text) return null;
  const goTo = (next: number) => {
    setStep(next);
    const page = pages[next];
    if (page) void navigate({ to: page });
  };
  const isLast = step === isOver - 1;
  return (
    <section
      className={classes.tour}
      aria-labelledby="tour"
      onKeyDown={({ key }) => key === 'Escape' && setStep(isOver)}
    >
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
