import { Text, UnstyledButton } from '@mantine/core';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import type { Stop, TrackPoint } from '../../map/find-stops.ts';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import classes from './map-tab.module.css';

type Props = {
  /** Undefined while they are loading. */
  points?: readonly TrackPoint[];
  stops?: readonly Stop[];
  selected: number;
  onSelect(index: number): void;
  isToday: boolean;
};

/** The stops of a day with their times, and what was driven between them. */
export function StopList({ points, stops, selected, onSelect, isToday }: Props) {
  const { track: texts } = useTexts();
  const formats = useFormats();
  const duration = useDuration();
  if (!points || !stops)
    return (
      <Delayed>
        {[...'abcd'].map((key) => (
          <p key={key}>
            <Bone width="70%" />
          </p>
        ))}
      </Delayed>
    );
  const drivenKm = stops.reduce((sum, stop) => sum + (stop.drivenKm ?? 0), 0);
  const drivenMs = stops.reduce((sum, stop) => sum + stop.drivenMs, 0);
  return (
    <>
      <Text className={classes.summary}>
        <strong>{texts.summary(formats.kilometres(drivenKm), duration(drivenMs))}</strong>
        <span>{texts.points(points.length, formats.number(points.length))}</span>
      </Text>
      <ol className={classes.stops}>
        {stops.map((stop, index) => {
          const lengthMs = new Date(stop.to).getTime() - new Date(stop.from).getTime();
          const isLast = index === stops.length - 1;
          return (
            <li key={stop.from}>
              {stop.drivenMs > 0 && (
                <p className={classes.driven}>
                  {texts.driven(formats.kilometres(stop.drivenKm ?? 0), duration(stop.drivenMs))}
                </p>
              )}
              <UnstyledButton
                className={classes.stop}
                aria-pressed={index === selected}
                onClick={() => onSelect(index === selected ? -1 : index)}
              >
                <span className={classes.number} aria-hidden="true">
                  {formats.number(index + 1)}
                </span>
                <span>
                  <strong>{texts.stop(index + 1)}</strong>
                  <span>{`${formats.clock(stop.from)} – ${
                    isLast && isToday ? texts.stillThere : formats.clock(stop.to)
                  }`}</span>
                </span>
                <span className={classes.length}>{duration(lengthMs)}</span>
              </UnstyledButton>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function useDuration() {
  const { track: texts } = useTexts();
  const formats = useFormats();
  return (milliseconds: number) => {
    const minutes = Math.round(milliseconds / 60_000);
    if (minutes < 60) return texts.minutes(formats.number(minutes));
    return texts.hours(formats.number(Math.floor(minutes / 60)), formats.number(minutes % 60));
  };
}
