import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import type { DamagePosition, IncidentDamage } from '@motorpool/client';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { Icon } from '../../icons/icon.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import classes from './incident-page.module.css';
import { shownKind } from './kind-names.ts';
import { Severity } from './severity.tsx';

type Props = {
  damages: readonly IncidentDamage[];
  /** That of the atlas which is pointed at. */
  pointed: DamagePosition | undefined;
  selected: number | undefined;
  onPoint(position: DamagePosition | undefined): void;
  onOpen(index: number): void;
  /** Left out where this person may not change them. */
  edit?:
    | { isPending: boolean; onRepaired(index: number): void; onDelete(index: number): void }
    | undefined;
};

/** The damages of the atlas in words; each points at its area. */
export function DamageList(props: Props) {
  const { damages, pointed, selected, onPoint, onOpen, edit } = props;
  const { incident: texts, damageKinds } = useTexts();
  const { positions } = useAtlasNames();
  return (
    <ul className={classes.damages} aria-label={texts.damages}>
      {damages.map((damage, index) => {
        const { position, title, damageType, severity, repaired } = damage;
        const kind = shownKind(damageType, damageKinds);
        const name = `${positions[position]}, ${kind}`;
        const repairText = (repaired ? texts.markOpen : texts.markRepaired)(name);
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a damage is known by its place in the list
            key={index}
            className={classes.damage}
            data-pointed={position === pointed || undefined}
            data-selected={index === selected || undefined}
            onPointerEnter={() => onPoint(position)}
            onPointerLeave={() => onPoint(undefined)}
          >
            <UnstyledButton
              className={classes.damageMain}
              onClick={() => onOpen(index)}
              onFocus={() => onPoint(position)}
              onBlur={() => onPoint(undefined)}
            >
              <span className={classes.damagePosition}>{positions[position]}</span>
              {repaired ? (
                <StateBadge tone="neutral" icon="check" text={texts.repaired} />
              ) : (
                <Severity level={severity} />
              )}
              <span className={classes.damageTitle}>{title}</span>
              <span className={classes.damageKind}>{kind}</span>
            </UnstyledButton>
            {edit && (
              <span className={classes.damageActions}>
                <Tooltip label={repairText}>
                  <ActionIcon
                    aria-label={repairText}
                    aria-disabled={edit.isPending}
                    data-disabled={edit.isPending || undefined}
                    onClick={() => edit.isPending || edit.onRepaired(index)}
                  >
                    <Icon name={repaired ? 'refresh-cw' : 'wrench'} size={15} />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label={texts.deleteDamage(name)}>
                  <ActionIcon
                    aria-label={texts.deleteDamage(name)}
                    onClick={() => edit.onDelete(index)}
                  >
                    <Icon name="trash-2" size={15} />
                  </ActionIcon>
                </Tooltip>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
