import { Tooltip } from '@mantine/core';
import type { MaintenanceReport } from '@motorpool/client';
import { Icon } from '../../icons/icon.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { useNow } from '../../values/now.ts';
import classes from './maintenance-page.module.css';
import { isForecast, soonestOf } from './maintenance-search.ts';

/** The day that counts; one that is forecast is marked. */
export function DueDay({ report }: { report: MaintenanceReport }) {
  const { maintenance } = useTexts();
  const formats = useFormats();
  const now = useNow();
  const day = soonestOf(report);
  if (day === undefined) return null;
  return (
    <Tooltip label={formats.days(day, now)}>
      <time dateTime={day} className={classes.day}>
        {isForecast(report) && (
          <span className={classes.forecast} title={maintenance.forecastMark}>
            <Icon name="trending-up" size={14} />
          </span>
        )}
        {formats.date(day)}
      </time>
    </Tooltip>
  );
}
