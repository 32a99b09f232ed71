import type { Vehicle } from '@motorpool/client';
import { useEffect, useRef } from 'react';
import { CurrentLink } from '../../layout/current-link.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './tab-bar.module.css';
import { tabsOf } from './vehicle-tabs.ts';

type Props = { vehicle: Vehicle; current: string };

/** Links, as each tab has an address. */
export function TabBar({ vehicle, current }: Props) {
  const { id: vehicleId } = vehicle.asset;
  const { vehicleTabs: names, vehicle: texts } = useTexts();
  const bar = useRef<HTMLElement>(null);
  // On a phone the bar is wider than the screen.
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>(`[data-tab="${current}"]`);
    if (bar.current && link)
      bar.current.scrollLeft = link.offsetLeft - bar.current.offsetWidth / 2 + link.offsetWidth / 2;
  }, [current]);
  return (
    <nav className={classes.tabs} aria-label={texts.tabs} ref={bar}>
      {tabsOf(vehicle).map(({ name }, index) => (
        <CurrentLink
          key={name}
          {...(index === 0
            ? { to: '/vehicles/$vehicleId', params: { vehicleId } }
            : { to: '/vehicles/$vehicleId/$tab', params: { vehicleId, tab: name } })}
          className={classes.tab}
          data-tab={name}
          isCurrent={name === current}
        >
          {names[name]}
        </CurrentLink>
      ))}
    </nav>
  );
}
