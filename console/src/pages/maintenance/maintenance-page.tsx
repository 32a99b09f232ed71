import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../frame/page.tsx';
import { Icon } from '../../icons/icon.tsx';
import { ChoiceLinks } from '../../layout/choice-links.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { SearchToolbar } from '../../table/search-toolbar.tsx';
import { definedOnly } from '../../table/table-search.ts';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { maintenanceLooks } from '../../values/maintenance-state.tsx';
import { MaintenanceCalendar } from './maintenance-calendar.tsx';
import { maintenanceFields } from './maintenance-fields.ts';
import { MaintenanceList } from './maintenance-list.tsx';
import { type MaintenanceSearch, type PlanState, planStates } from './maintenance-search.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { plannedPage } from './planned-reports.ts';
import { ReportPanel } from './report-panel.tsx';
import { maintenanceRoute } from './route.ts';

/** What is planned and forecast for the fleet, as a list and as a calendar. */
export function MaintenancePage() {
  const allTexts = useTexts();
  const { pages, maintenance: texts, maintenanceStates } = allTexts;
  const formats = useFormats();
  const search = maintenanceRoute.useSearch();
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const [isPlanning, setIsPlanning] = useState(false);
  const counts = useCounts();
  const change = (next: Partial<MaintenanceSearch>, replace = true) =>
    void navigate({
      to: '/maintenance',
      search: (current: MaintenanceSearch) => definedOnly({ ...current, ...next }),
      replace,
    });
  const linkTo = (next: Partial<MaintenanceSearch>) => ({
    to: '/maintenance' as const,
    search: definedOnly({ ...search, page: undefined, report: undefined, ...next }),
  });
  const total = counts.all;
  return (
    <Page
      fills={search.view !== 'calendar'}
      title={pages.maintenance}
      aside={
        <Text c="dimmed" aria-live="polite">
          {total !== undefined && texts.count(total, formats.number(total))}
        </Text>
      }
      actions={
        mayEdit && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsPlanning(true)}>
            {texts.plan}
          </Button>
        )
      }
    >
      <Group gap="xs" mb={12}>
        <ChoiceLinks
          label={texts.views}
          current={search.view ?? 'list'}
          choices={[
            { key: 'list', label: texts.list, icon: 'list', link: linkTo({ view: undefined }) },
            {
              key: 'calendar',
              label: texts.calendar,
              icon: 'calendar',
              link: linkTo({ view: 'calendar' }),
            },
          ]}
        />
        <ChoiceLinks
          label={texts.states}
          current={search.status ?? 'all'}
          choices={[
            { key: 'all', label: texts.all, count: total, link: linkTo({ status: undefined }) },
            ...planStates.map((status) => ({
              key: status,
              label: maintenanceStates[status],
              icon: maintenanceLooks[status].icon,
              count: counts[status],
              link: linkTo({ status }),
            })),
          ]}
        />
      </Group>
      <SearchToolbar
        hint={texts.searchHint}
        fields={maintenanceFields(allTexts)}
        search={search}
        onChange={(next) => change({ page: undefined, ...next })}
      />
      {search.view === 'calendar' ? (
        <MaintenanceCalendar search={search} overdue={counts.overdue} onChange={change} />
      ) : (
        <MaintenanceList search={search} onChange={change} />
      )}
      {search.report && search.vehicle && (
        <ReportPanel
          vehicleId={search.vehicle}
          reportId={search.report}
          onClose={() => change({ report: undefined, vehicle: undefined })}
        />
      )}
      {isPlanning && <PlanDialog onClose={() => setIsPlanning(false)} />}
    </Page>
  );
}

/** How many there are of each state; undefined while they are counted. */
function useCounts(): Record<PlanState | 'all', number | undefined> {
  const fleet = useFleet();
  const count = (status?: PlanState) => ({
    ...(status && { filters: [{ field: 'status', value: status }] }),
    pagination: { pageSize: 1 },
  });
  const all = useQuery(plannedPage(fleet, count()));
  const overdue = useQuery(plannedPage(fleet, count('overdue')));
  const soon = useQuery(plannedPage(fleet, count('due_soon')));
  const planned = useQuery(plannedPage(fleet, count('planned')));
  return {
    all: all.data?.pagination.totalEntries,
    overdue: overdue.data?.pagination.totalEntries,
    due_soon: soon.data?.pagination.totalEntries,
    planned: planned.data?.pagination.totalEntries,
  };
}
