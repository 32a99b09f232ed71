import { Text, UnstyledButton } from '@mantine/core';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { drivenKm, drivenKmSince, type Stop, type TrackPoint } from '../../map/find-stops.ts';
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
  const [first, last] = [points[0], points.at(-1)];
  const stoodMs = stops.reduce((sum, stop) => sum + msBetween(stop.from, stop.to), 0);
  const drivenMs = first && last ? msBetween(first.time, last.time) - stoodMs : 0;
  const km = drivenKm(points);
  const lastStop = stops.at(-1);
  const since = lastStop && last && lastStop.to !== last.time ? lastStop : undefined;
  const kmSince = since && drivenKmSince(since, points);
  return (
    <>
      <Text className={classes.summary}>
        <strong>
          {(km ?? drivenMs) === 0
            ? texts.notDriven
            : km === undefined
              ? texts.drivenFor(formats.duration(drivenMs))
              : texts.summary(formats.kilometres(km), formats.duration(drivenMs))}
        </strong>
        <span>{texts.points(points.length, formats.number(points.length))}</span>
      </Text>
      <ol className={classes.stops}>
        {stops.map((stop, index) => {
          const isStillThere = isToday && stop === lastStop && !since;
          return (
            <li key={stop.from}>
              {stop.drivenMs > 0 && (
                <p className={classes.driven}>
                  {stop.drivenKm === undefined
                    ? texts.drivenFor(formats.duration(stop.drivenMs))
                    : texts.driven(
                        formats.kilometres(stop.drivenKm),
                        formats.duration(stop.drivenMs),
                      )}
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
                    isStillThere ? texts.stillThere : formats.clock(stop.to)
                  }`}</span>
                </span>
                <span className={classes.length}>
                  {formats.duration(msBetween(stop.from, stop.to))}
                </span>
              </UnstyledButton>
            </li>
          );
        })}
        {since && last && (
          <li>
            <p className={classes.driven}>
              {kmSince === undefined
                ? texts.underwayUntil(formats.clock(last.time))
                : texts.underway(formats.kilometres(kmSince), formats.clock(last.time))}
            </p>
          </li>
        )}
      </ol>
    </>
  );
}

const msBetween = (from: string, to: string) => new Date(to).getTime() - new Date(from).getTime();
