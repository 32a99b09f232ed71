import type { ChargingSession } from '@motorpool/client';
import { useState } from 'react';
import { CurrentLink } from '../../../layout/current-link.tsx';
import { Panel } from '../../../layout/panel.tsx';
import { ScrollBox } from '../../../layout/scroll-box.tsx';
import { ShowMore } from '../../../layout/show-more.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { StateBadge } from '../../../values/state-badge.tsx';
import classes from './charging-tab.module.css';

type Props = {
  vehicleId: string;
  sessions: readonly ChargingSession[];
  current: string | undefined;
};

const step = 12;

/** The sessions, the newest first; one that is chosen is drawn beside them. */
export function SessionTable({ vehicleId, sessions, current }: Props) {
  const { charging: texts } = useTexts();
  const formats = useFormats();
  const [size, setSize] = useState(step);
  const shown = sessions.slice(0, size);
  return (
    <Panel title={texts.sessions} count={sessions.length}>
      <ScrollBox label={texts.sessions}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{texts.begin}</th>
              <th scope="col" data-numeric>
                {texts.duration}
              </th>
              <th scope="col" data-numeric>
                {texts.levels}
              </th>
              <th scope="col" data-numeric>
                {texts.charged}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, fromDatetime, toDatetime, fromSoC, toSoC, chargedKWh }) => (
              <tr key={id} data-current={id === current || undefined}>
                <th scope="row">
                  <CurrentLink
                    to="/vehicles/$vehicleId/$tab"
                    params={{ vehicleId, tab: 'charging' }}
                    search={{ session: id }}
                    replace
                    resetScroll={false}
                    isCurrent={id === current}
                  >
                    {formats.time(fromDatetime)}
                  </CurrentLink>
                </th>
                <td data-numeric>
                  {toDatetime ? (
                    formats.duration(Date.parse(toDatetime) - Date.parse(fromDatetime))
                  ) : (
                    <StateBadge tone="good" icon="zap" text={texts.running} />
                  )}
                </td>
                <td data-numeric>
                  {fromSoC !== undefined &&
                    texts.fromTo(
                      formats.percent(fromSoC),
                      toSoC === undefined ? '…' : formats.percent(toSoC),
                    )}
                </td>
                <td data-numeric>
                  {chargedKWh !== undefined && formats.kilowattHours(chargedKWh)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {sessions.length > shown.length && (
        <ShowMore
          count={Math.min(step, sessions.length - shown.length)}
          onShow={() => setSize(size + step)}
        />
      )}
    </Panel>
  );
}
