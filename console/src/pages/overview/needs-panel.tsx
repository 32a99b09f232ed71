import { Text } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { useVehicles } from '../../fleet/named-vehicles.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { ShowMore } from '../../layout/show-more.tsx';
import { useFormats, useLocalization, useTexts } from '../../texts/texts-provider.tsx';
import { latenessOf } from '../../values/lateness.ts';
import { useNow } from '../../values/now.ts';
import { Plate } from '../../values/plate.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import { needKinds, needLooks } from './need-kinds.ts';
import type { Need, useNeeds } from './needs.ts';
import classes from './overview-page.module.css';

type Props = { found: ReturnType<typeof useNeeds>['found'] };

const firstItems = 15;

/** One list across kinds, the most urgent first. */
export function NeedsPanel({ found }: Props) {
  const { overview } = useTexts();
  const formats = useFormats();
  const [showsAll, setShowsAll] = useState(false);
  const items = needKinds.flatMap((kind) => found[kind]?.items ?? []);
  const shown = showsAll ? items : items.slice(0, firstItems);
  const { vehicleById, plateById } = useVehicles(
    items.map(({ plate, vehicleId }) => (plate ? undefined : vehicleId)),
  );
  const total = needKinds.reduce((sum, kind) => sum + (found[kind]?.total ?? 0), 0);
  const isLoading = Object.values(found).some((one) => one === undefined);
  return (
    <Panel title={overview.needsYou} count={isLoading ? undefined : total}>
      {isLoading && items.length === 0 ? (
        <Delayed>
          <Bone width="70%" />
        </Delayed>
      ) : items.length === 0 ? (
        <EmptyState
          icon="circle-check"
          title={overview.nothing.title}
          advice={overview.nothing.advice}
        />
      ) : (
        <ul className={classes.needs}>
          {shown.map((need) => (
            <NeedRow
              key={`${need.kind}-${need.id}`}
              need={need}
              plate={need.plate ?? (need.vehicleId && plateById(need.vehicleId))}
              vehicle={need.vehicleId ? vehicleById(need.vehicleId) : undefined}
            />
          ))}
        </ul>
      )}
      {items.length > shown.length && (
        <ShowMore count={items.length - shown.length} onShow={() => setShowsAll(true)} />
      )}
      {shown.length === items.length && total > items.length && (
        <Text size="sm" c="dimmed" mt={8}>
          {overview.beyond(formats.number(total - items.length))}
        </Text>
      )}
    </Panel>
  );
}

type RowProps = { need: Need; plate: string | undefined; vehicle: Vehicle | undefined };

function NeedRow({ need, plate, vehicle }: RowProps) {
  const { overview } = useTexts();
  const { kind, vehicleId } = need;
  return (
    <li>
      <span className={classes.needKind}>
        <StateBadge {...needLooks[kind]} text={overview.badges[kind]} />
      </span>
      {vehicleId ? (
        <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }} className={classes.needPlate}>
          <Plate plate={plate} />
        </AnchorLink>
      ) : (
        <span className={classes.needPlate} />
      )}
      <NeedTitle need={need} />
      <NeedDetail need={need} odometer={vehicle?.status.odometer} />
    </li>
  );
}

/** Opens the record itself, where it has a page. */
function NeedTitle({ need: { id, kind, title, vehicleId } }: { need: Need }) {
  if (kind === 'invoice')
    return (
      <AnchorLink
        to="/invoices/$invoiceId"
        params={{ invoiceId: id }}
        className={classes.needTitle}
        c="inherit"
      >
        {title}
      </AnchorLink>
    );
  if ((kind === 'overdue' || kind === 'dueSoon') && vehicleId)
    return (
      <AnchorLink
        to="/vehicles/$vehicleId/$tab"
        params={{ vehicleId, tab: 'maintenance' }}
        search={{ report: id }}
        className={classes.needTitle}
        c="inherit"
      >
        {title}
      </AnchorLink>
    );
  if ((kind === 'incident' || kind === 'mustNotDrive') && vehicleId)
    return (
      <AnchorLink
        to="/incidents/$vehicleId/$incidentId"
        params={{ vehicleId, incidentId: id }}
        className={classes.needTitle}
        c="inherit"
      >
        {title}
      </AnchorLink>
    );
  return <span className={classes.needTitle}>{title}</span>;
}

type DetailProps = { need: Need; odometer: number | undefined };

function NeedDetail({ need, odometer }: DetailProps) {
  const words = useLocalization();
  const { texts, formats } = words;
  const { kind, date, level, isCreditNote, amount, dueOdometer } = need;
  const now = useNow();
  const isDay = kind === 'overdue' || kind === 'dueSoon' || kind === 'invoice';
  const late =
    kind === 'overdue' ? latenessOf({ dueDate: date, dueOdometer }, odometer, now, words) : [];
  const isLate = late.length > 0;
  const parts = [
    ...late,
    isCreditNote && texts.invoices.types.credit_note,
    amount && formats.money(amount.minor, amount.currency),
    level !== undefined && formats.percent(level),
    !isLate &&
      !date &&
      dueOdometer !== undefined &&
      texts.vehicle.at(formats.kilometres(dueOdometer)),
    !isLate && date && (isDay ? formats.days(date, now) : formats.age(date, now)),
  ];
  return (
    <span
      className={classes.needDetail}
      title={date && (isDay ? formats.date(date) : formats.time(date))}
    >
      {parts.filter(Boolean).join(' · ')}
    </span>
  );
}
