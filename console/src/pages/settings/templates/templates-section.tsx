import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { Age } from '../../../values/age.tsx';
import { pageSize, RecordSection } from '../record-section.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { EditTemplate, NewTemplate } from './template-dialog.tsx';

export function TemplatesSection() {
  const { templates: words, settings, forms } = useTexts();
  const fleet = useFleet();
  const { page = 0 } = useSettingsSearch().search;
  const found = useQuery({
    queryKey: queryKey('checklist-template', 'page', page),
    queryFn: ({ signal }) =>
      fleet.checklistTemplates
        .find({ pagination: { pageNumber: page, pageSize } }, { signal })
        .page(),
    placeholderData: keepPreviousData,
  });
  return (
    <RecordSection
      name="checklists"
      icon="clipboard-check"
      record="checklist-template"
      words={words}
      found={found}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      editAction={{ label: settings.edit, icon: 'pencil' }}
      deleteLabel={forms.delete}
      onDelete={({ id }) => fleet.checklistTemplates.delete(id)}
      dialog={(template, close) =>
        template ? (
          <EditTemplate template={template} onClose={close} />
        ) : (
          <NewTemplate onClose={close} />
        )
      }
      columns={[
        {
          header: settings.name,
          cell: ({ name, entries }) => (
            <div>
              <Text fw={500} truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {entries.map(({ title }) => title).join(' · ')}
              </Text>
            </div>
          ),
        },
        {
          header: words.entries,
          width: 140,
          cell: ({ entries }) => words.count(entries.length),
        },
        { header: settings.changed, width: 120, cell: ({ updatedAt }) => <Age at={updatedAt} /> },
      ]}
    />
  );
}
