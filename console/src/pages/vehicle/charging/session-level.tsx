import type { ChargingSession } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { LineFigure } from '../../../charts/line-figure.tsx';
import { InlineProblem } from '../../../feedback/problem.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { Panel } from '../../../layout/panel.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import classes from './charging-tab.module.css';

type Props = { vehicleId: string; session: ChargingSession };

/** The level while a vehicle was charged, as it was reported. */
export function SessionLevel({ vehicleId, session }: Props) {
  const { charging: texts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { fromDatetime, toDatetime, fromSoC, toSoC, chargedKWh } = session;
  const { data: read } = useQuery({
    queryKey: queryKey('charging-session', 'one', vehicleId, session.id),
    queryFn: ({ signal }) => fleet.charging.get(vehicleId, session.id, { signal }),
  });
  const { data, error } = useQuery({
    queryKey: queryKey('charging-session', 'level', vehicleId, session.id, toDatetime),
    queryFn: ({ signal }) =>
      fleet.telemetry
        .history(
          vehicleId,
          {
            from: fromDatetime,
            // The end itself is left out of a period.
            ...(toDatetime && { to: new Date(Date.parse(toDatetime) + 1_000).toISOString() }),
            resolution: 'raw',
            fields: ['fuelLevel', 'stateOfCharge'],
            pagination: { pageSize: 1_000 },
          },
          { signal },
        )
        .page(),
  });
  const measured = (data?.items ?? []).flatMap(({ time, fuelLevel, stateOfCharge }) => {
    const level = stateOfCharge ?? fuelLevel;
    return level === undefined ? [] : [{ time, level }];
  });
  const ends = [
    { time: fromDatetime, level: fromSoC },
    { time: toDatetime, level: toSoC },
  ].filter(
    (end): end is { time: string; level: number } =>
      end.time !== undefined && end.level !== undefined,
  );
  const points = measured.length >= 2 ? measured : ends;
  return (
    <Panel title={texts.level}>
      <p className={classes.quiet}>
        {[
          formats.time(fromDatetime),
          chargedKWh !== undefined && formats.kilowattHours(chargedKWh),
          read && texts.basis[read.energyBasis],
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {error && !data && <InlineProblem error={error} />}
      {data && points.length < 2 ? (
        <p className={classes.quiet}>{texts.noLevel}</p>
      ) : (
        <LineFigure
          data={{
            label: texts.level,
            axis: texts.time,
            rows: points.map(({ time, level }) => ({
              name: formats.clock(time),
              values: { level },
            })),
            series: [{ key: 'level', label: texts.level }],
            format: formats.percent,
          }}
          domain={[0, 100]}
        />
      )}
    </Panel>
  );
}
