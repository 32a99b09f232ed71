import { Kbd, Tooltip, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { openSpotlight } from '@mantine/spotlight';
import { useSyncExternalStore } from 'react';
import { Icon } from '../icons/icon.tsx';
import { useConnection } from '../session/connection.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './frame.module.css';
import { PersonMenu } from './person-menu.tsx';

export function TopBar() {
  const { frame } = useTexts();
  const { session } = useConnection();
  return (
    <header className={classes.top}>
      <UnstyledButton className={classes.search} onClick={openSpotlight}>
        <Icon name="search" size={16} />
        <span className={classes.searchText}>{frame.search}</span>
        <Kbd size="xs" className={classes.shortcut}>
          {frame.paletteKeys}
        </Kbd>
      </UnstyledButton>
      <span className={classes.spring} />
      <LiveState />
      <Tooltip label={frame.switchProvider}>
        <a href="/console" className={classes.provider}>
          <Icon name="building-2" size={16} />
          {session.provider}
        </a>
      </Tooltip>
      <PersonMenu />
    </header>
  );
}

// Streams are opened anew every few minutes, with another token: nobody needs to see that.
const patienceMs = 2_000;

function LiveState() {
  const { live } = useConnection();
  const { frame } = useTexts();
  const current = useSyncExternalStore(live.subscribe, () => live.state);
  const [patient] = useDebouncedValue(current, patienceMs);
  const state = current === 'live' ? current : patient;
  return (
    <Tooltip label={frame.liveHelp[state]} multiline maw={260}>
      <output className={classes.live} data-state={state}>
        <span className={classes.dot} />
        <span className={classes.liveText}>{frame.live[state]}</span>
      </output>
    </Tooltip>
  );
}
