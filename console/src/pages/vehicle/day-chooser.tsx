import '@mantine/dates/styles.layer.css';
import { ActionIcon } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useEffect, useState } from 'react';
import { addDays } from '../../formats/days.ts';
import { Icon } from '../../icons/icon.tsx';
import { useFormats, useLocalization, useTexts } from '../../texts/texts-provider.tsx';
import classes from './map-tab.module.css';

type Props = { day: string; today: string; onChange(day: string): void };

/** A day until today. */
export function DayChooser({ day, today, onChange }: Props) {
  const { track: texts } = useTexts();
  const { language } = useLocalization();
  const formats = useFormats();
  const isLocaleLoaded = useLocale(language);
  return (
    <div className={classes.day}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={texts.previousDay}
        onClick={() => onChange(addDays(day, -1))}
      >
        <Icon name="chevron-left" size={16} />
      </ActionIcon>
      <DatePickerInput
        size="xs"
        aria-label={`${texts.day} ${formats.date(day)}`}
        ariaLabels={texts.calendar}
        locale={isLocaleLoaded ? language : 'en'}
        leftSection={<Icon name="calendar" size={16} />}
        value={day}
        maxDate={today}
        valueFormatter={({ date }) => formats.date(String(date))}
        onChange={(next) => next && onChange(next)}
      />
      <ActionIcon
        variant="default"
        size={30}
        aria-label={texts.nextDay}
        disabled={day >= today}
        onClick={() => onChange(addDays(day, 1))}
      >
        <Icon name="chevron-right" size={16} />
      </ActionIcon>
    </div>
  );
}

/** The names of months and days of the calendar are loaded with the language. */
function useLocale(language: string): boolean {
  const [loaded, setLoaded] = useState('en');
  useEffect(() => {
    if (language === 'de') void import('dayjs/locale/de').then(() => setLoaded('de'));
  }, [language]);
  return loaded === language;
}
