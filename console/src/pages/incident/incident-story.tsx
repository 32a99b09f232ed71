import type { Incident } from '@motorpool/client';
import { Panel } from '../../layout/panel.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './incident-page.module.css';

/** What happened, in the words of those who reported it. */
export function IncidentStory({ incident }: { incident: Incident }) {
  const { incident: texts, incidentFields: fields } = useTexts();
  const parts = (['description', 'cause', 'notes'] as const).filter((field) => incident[field]);
  return (
    <Panel title={texts.story}>
      {parts.length === 0 && <p className={classes.hint}>{texts.noStory}</p>}
      <dl className={classes.story}>
        {parts.map((field) => (
          <div key={field}>
            <dt>{fields[field]}</dt>
            <dd>{incident[field]}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
