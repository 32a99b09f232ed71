import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { pageSize, RecordSection } from '../record-section.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { EditSchedule, NewSchedule } from './schedule-dialog.tsx';
import { useIntervalText } from './use-interval-text.ts';

export function SchedulesSection() {
  const { schedules: words, settings, forms } = useTexts();
  const fleet = useFleet();
  const intervalOf = useIntervalText();
  const { page = 0 } = useSettingsSearch().search;
  const found = useQuery({
    queryKey: queryKey('maintenance-schedule', 'page', page),
    queryFn: ({ signal }) =>
      fleet.maintenanceSchedules
        .find({ pagination: { pageNumber: page, pageSize } }, { signal })
        .page(),
    placeholderData: keepPreviousData,
  });
  return (
    <RecordSection
      name="schedules"
      icon="wrench"
      record="maintenance-schedule"
      words={words}
      found={found}
      idOf={({ id }) => id}
      nameOf={({ title }) => title}
      editAction={{ label: settings.edit, icon: 'pencil' }}
      deleteLabel={forms.delete}
      onDelete={({ id }) => fleet.maintenanceSchedules.delete(id)}
      dialog={(schedule, close) =>
        schedule ? (
          <EditSchedule schedule={schedule} onClose={close} />
        ) : (
          <NewSchedule onClose={close} />
        )
      }
      columns={[
        {
          header: words.title,
          cell: ({ title, notes }) => (
            <div>
              <Text fw={500} truncate>
                {title}
              </Text>
              {notes && (
                <Text size="xs" c="dimmed" truncate>
                  {notes}
                </Text>
              )}
            </div>
          ),
        },
        { header: words.type, width: 130, cell: ({ type }) => words.types[type] },
        { header: words.interval, width: 240, cell: intervalOf },
        {
          header: words.applies,
          width: 130,
          cell: ({ vendor, model }) => [vendor, model].filter(Boolean).join(' ') || words.forAll,
        },
        { header: settings.changed, width: 116, cell: ({ updatedAt }) => <Age at={updatedAt} /> },
      ]}
    />
  );
}
