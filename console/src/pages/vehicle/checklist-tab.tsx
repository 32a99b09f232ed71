import { Button, Menu, Progress } from '@mantine/core';
import type { ChecklistEntry, Vehicle } from '@motorpool/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Icon } from '../../icons/icon.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import { CheckItem } from './checklist/check-item.tsx';
import classes from './checklist/checklist-tab.module.css';

/** What is to be checked of a vehicle, and how far that is. */
export function ChecklistTab({ vehicle }: { vehicle: Vehicle }) {
  const { checklist: texts, vehicleTabs } = useTexts();
  const fleet = useFleet();
  const mayEdit = useMay('editor');
  const { id: vehicleId } = vehicle.asset;
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('checklist-entry', 'of-vehicle', vehicleId),
    queryFn: ({ signal }) =>
      fleet.checklist.find(vehicleId, { pagination: { pageSize: 200 } }, { signal }).toArray(),
  });
  const apply = mayEdit && <ApplyTemplate vehicleId={vehicleId} />;
  return (
    <Panel
      title={vehicleTabs.checklist}
      count={data?.length || undefined}
      actions={data?.length ? apply : null}
    >
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Delayed>
          <Bone width="60%" />
        </Delayed>
      ) : data.length === 0 ? (
        <EmptyState icon="clipboard-check" {...texts.none}>
          {apply}
        </EmptyState>
      ) : (
        <>
          <Done entries={data} />
          <ul className={classes.entries} aria-label={vehicleTabs.checklist}>
            {data.map((entry) => (
              <CheckItem key={entry.id} vehicleId={vehicleId} entry={entry} mayEdit={mayEdit} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** How many are answered, and what wants attention. */
function Done({ entries }: { entries: readonly ChecklistEntry[] }) {
  const { checklist: texts } = useTexts();
  const formats = useFormats();
  const count = (result: ChecklistEntry['result']) =>
    entries.filter((entry) => entry.result === result).length;
  const done = entries.length - count(undefined);
  const missing = entries.filter(({ required, result }) => required && result === undefined).length;
  return (
    <div className={classes.progress}>
      <Progress.Root size="md" flex={1}>
        <Progress.Section
          value={(done / entries.length) * 100}
          color="var(--chart-1)"
          aria-label={texts.progress(formats.number(done), formats.number(entries.length))}
        />
      </Progress.Root>
      <span aria-live="polite">
        {texts.progress(formats.number(done), formats.number(entries.length))}
      </span>
      {missing > 0 && (
        <StateBadge tone="neutral" icon="circle-dashed" text={texts.missing(missing)} />
      )}
      {count('flag') > 0 && (
        <StateBadge tone="warning" icon="flag" text={texts.flagged(count('flag'))} />
      )}
      {count('fail') > 0 && (
        <StateBadge tone="danger" icon="x" text={texts.failed(count('fail'))} />
      )}
    </div>
  );
}

function ApplyTemplate({ vehicleId }: { vehicleId: string }) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: queryKey('checklist-template', 'all'),
    queryFn: ({ signal }) =>
      fleet.checklistTemplates.find({ pagination: { pageSize: 100 } }, { signal }).toArray(),
  });
  const { mutate, isPending } = useMutation({
    mutationFn: (templateId: string) => fleet.checklist.applyTemplate(vehicleId, templateId),
    onSuccess: ({ items }) => notifyDone(texts.checklist.applied(items.length)),
    onError: (error) => notifyProblem(error, texts),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('checklist-entry') }),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          loading={isPending}
          disabled={data?.length === 0}
        >
          {texts.checklist.apply}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.map(({ id, name, entries }) => (
          <Menu.Item key={id} onClick={() => mutate(id)}>
            {texts.checklist.template(name, entries.length)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
