import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { Icon } from '../../icons/icon.tsx';
import { useSession } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { AuditSection } from './audit/audit-section.tsx';
import { BoxesSection } from './boxes/boxes-section.tsx';
import { ClientsSection } from './clients/clients-section.tsx';
import { ImportSection } from './import/import-section.tsx';
import { PeopleSection } from './people/people-section.tsx';
import { ProfileSection } from './profile/profile-section.tsx';
import { settingsSectionRoute } from './route.ts';
import { SchedulesSection } from './schedules/schedules-section.tsx';
import { type SectionName, sections } from './sections.ts';
import classes from './settings-page.module.css';
import { TemplatesSection } from './templates/templates-section.tsx';
import { WebhooksSection } from './webhooks/webhooks-section.tsx';

const contents: Record<SectionName, ComponentType> = {
  profile: ProfileSection,
  schedules: SchedulesSection,
  checklists: TemplatesSection,
  boxes: BoxesSection,
  import: ImportSection,
  clients: ClientsSection,
  people: PeopleSection,
  webhooks: WebhooksSection,
  audit: AuditSection,
};

export function SettingsPage() {
  const { pages, settings } = useTexts();
  const session = useSession();
  const { section: name } = settingsSectionRoute.useParams();
  const section = sections.find((one) => one.name === name);
  if (!section) return <NotFound />;
  const Content = contents[section.name];
  return (
    <Page title={pages.settings}>
      <div className={classes.layout}>
        <SectionList current={section.name} />
        <section className={classes.content} aria-label={settings.sections[section.name]}>
          {session.may(section.role) ? (
            <Content key={section.name} />
          ) : (
            <EmptyState icon="lock" {...settings.refused} />
          )}
        </section>
      </div>
    </Page>
  );
}

function SectionList({ current }: { current: SectionName }) {
  const { settings } = useTexts();
  const session = useSession();
  const list = useRef<HTMLElement>(null);
  // On a phone the list is a line that is wider than the screen.
  useEffect(() => {
    list.current
      ?.querySelector(`[data-section="${current}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  const shown = sections.filter(({ role }) => session.may(role));
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  return (
    <nav ref={list} className={classes.sections} aria-label={settings.navigation}>
      {groups.map(([group, members]) => (
        <div key={group} className={classes.group}>
          <Text className={classes.groupName}>{settings.groups[group]}</Text>
          {members.map(({ name, icon }) => (
            <Link
              key={name}
              to="/settings/$section"
              params={{ section: name }}
              className={classes.sectionLink}
              data-section={name}
              activeOptions={{ includeSearch: false }}
            >
              <Icon name={icon} size={16} />
              {settings.sections[name]}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
