import { Tooltip } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { addMonths, daysBetween } from '../../../formats/days.ts';
import { Icon, type IconName } from '../../../icons/icon.tsx';
import { ScrollBox } from '../../../layout/scroll-box.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import type { StateTone } from '../../../values/state-badge.tsx';
import classes from './time-line.module.css';

type TimeLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

export type Happening = {
  key: string;
  day: string;
  title: string;
  icon: IconName;
  tone?: StateTone;
  link: TimeLink;
  /** Between which days it is expected, where that is uncertain. */
  band?: { from: string; to?: string } | undefined;
};

export type Lane = {
  name: string;
  happenings: readonly Happening[];
  /** Spans, such as who was a driver; without an end they last. */
  periods?: readonly { key: string; from: string; to?: string | undefined; title: string }[];
};

type Props = { label: string; lanes: readonly Lane[]; today: string; from: string; to: string };

/** More than the width of a marker, also where the line is at its narrowest. */
const togetherPercent = 3.4;
const laneHeight = 38;
const periodHeight = 24;
/** Where in view the day of today is, when not all is. */
const todayPart = 0.6;

/** What happened and what is expected on one axis; the part to come is dashed. */
export function TimeLine({ label, lanes, today, from, to }: Props) {
  const { vehicle } = useTexts();
  const formats = useFormats();
  const whole = daysBetween(from, to);
  const percent = (day: string) =>
    Math.max(0, Math.min(100, (daysBetween(from, day.slice(0, 10)) / whole) * 100));
  const now = percent(today);
  const months: string[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = addMonths(month, 1))
    months.push(month);
  const step = months.length > 24 ? 6 : 3;
  return (
    <ScrollBox label={label}>
      <div className={classes.line}>
        <div className={classes.axis} aria-hidden="true">
          {months
            .filter((month) => (Number(month.slice(5)) - 1) % step === 0)
            .map((month) => (
              <span key={month} style={{ left: `${percent(`${month}-01`)}%` }}>
                {`${formats.shortMonth(month)} ${month.slice(2, 4)}`}
              </span>
            ))}
        </div>
        {lanes.map((lane) => (
          <div
            key={lane.name}
            className={classes.lane}
            style={{
              height: Math.max(laneHeight, 14 + (lane.periods?.length ?? 0) * periodHeight),
            }}
          >
            <h3>{lane.name}</h3>
            <div className={classes.track}>
              <span className={classes.past} style={{ width: `${now}%` }} />
              <span className={classes.future} style={{ left: `${now}%` }} />
              <ul>
                {lane.periods?.map((period, index) => (
                  <li key={period.key}>
                    <span
                      className={classes.period}
                      title={period.title}
                      style={{
                        top: 9 + index * periodHeight,
                        left: `${percent(period.from)}%`,
                        width: `${percent(period.to ?? today) - percent(period.from)}%`,
                      }}
                    >
                      <span>{period.title}</span>
                    </span>
                  </li>
                ))}
                {clusters(lane.happenings, percent, from, to).map((cluster) => (
                  <Marker key={cluster.items[0]?.key} {...cluster} percent={percent} end={to} />
                ))}
              </ul>
            </div>
          </div>
        ))}
        <div className={classes.now} aria-hidden="true">
          <span key={now} ref={scrollIntoView} style={{ left: `${now}%` }}>
            <b>{vehicle.todayMark}</b>
          </span>
        </div>
      </div>
    </ScrollBox>
  );
}

/** On a phone the line is wider than the screen, and begins long ago. */
function scrollIntoView(mark: HTMLSpanElement | null): void {
  const box = mark?.closest<HTMLElement>('[role="group"]');
  if (!box || !mark) return;
  const left = mark.getBoundingClientRect().left - box.getBoundingClientRect().left;
  box.scrollLeft += left - box.clientWidth * todayPart;
}

type Cluster = { left: number; items: Happening[] };

/** Those that would cover each other become one. */
function clusters(
  happenings: readonly Happening[],
  percent: (day: string) => number,
  from: string,
  to: string,
): Cluster[] {
  const found: Cluster[] = [];
  const within = happenings.filter(({ day }) => day >= from && day <= to);
  for (const item of within.toSorted((a, b) => a.day.localeCompare(b.day))) {
    const left = percent(item.day);
    const last = found.at(-1);
    if (last && left - last.left < togetherPercent) last.items.push(item);
    else found.push({ left, items: [item] });
  }
  return found;
}

const urgency: readonly (StateTone | undefined)[] = ['danger', 'warning', 'good', 'info'];

type MarkerProps = Cluster & { percent(day: string): number; end: string };

function Marker({ left, items, percent, end }: MarkerProps) {
  const formats = useFormats();
  const [first] = items;
  if (!first) return null;
  const lines = items.map(({ day, title }) => `${formats.date(day)}: ${title}`);
  const tone = urgency.find((one) => items.some((item) => item.tone === one)) ?? 'neutral';
  const bands = items.flatMap(({ band }) => (band ? [band] : []));
  return (
    <li>
      {bands.map((band) => (
        <span
          key={band.from}
          className={classes.band}
          style={{
            left: `${percent(band.from)}%`,
            width: `${Math.max(0.6, percent(band.to ?? end) - percent(band.from))}%`,
          }}
        />
      ))}
      <Tooltip label={lines.join('\n')} multiline styles={{ tooltip: { whiteSpace: 'pre-line' } }}>
        <Link
          {...first.link}
          className={classes.marker}
          data-state={tone}
          style={{ left: `${left}%` }}
          aria-label={items.length > 1 ? `${items.length}: ${lines.join('. ')}` : lines.join('')}
        >
          {items.length > 1 ? items.length : <Icon name={first.icon} size={14} />}
        </Link>
      </Tooltip>
    </li>
  );
}
