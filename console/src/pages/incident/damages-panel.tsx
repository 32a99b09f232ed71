import { Button } from '@mantine/core';
import type { DamagePosition, IncidentDamage } from '@motorpool/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { Icon } from '../../icons/icon.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { AtlasPanel } from './atlas-panel.tsx';
import { DamageForm } from './damage-form.tsx';
import { DamageList } from './damage-list.tsx';
import { type DamageValues, damageOf, damageValuesOf, newDamage } from './damage-values.ts';
import classes from './incident-page.module.css';
import type { OnDecided } from './use-save-incident.ts';

type Props = {
  damages: readonly IncidentDamage[];
  isPending: boolean;
  /** Whether it asks by itself before the page is left with what was entered. */
  isGuarded?: boolean;
  onChange(damages: IncidentDamage[], onDecided?: OnDecided): void;
  /** Told whether somebody is entering a damage, or is asked about one. */
  onEditing?(isEditing: boolean): void;
};

/** Without an index it is a new one. The key stays when the index changes. */
type Form = {
  key: number | 'new';
  index: number | undefined;
  initial: DamageValues;
  values: DamageValues;
};

/** The atlas, and a list beside it that mirrors and drives it. */
export function DamagesPanel(props: Props) {
  const { damages, isPending, isGuarded = false, onChange, onEditing } = props;
  const { incident: texts, damageKinds } = useTexts();
  const { positions } = useAtlasNames();
  const names = { kinds: damageKinds, positions };
  const mayEdit = useMay('editor');
  const [pointed, setPointed] = useState<DamagePosition>();
  const [highlighted, setHighlighted] = useState<DamagePosition>();
  const [selected, setSelected] = useState<DamagePosition>();
  const [form, setForm] = useState<Form>();
  const box = useRef<HTMLDivElement>(null);
  const [doomed, setDoomed] = useState<number>();
  // What is done once what was entered may be forgotten.
  const [asked, setAsked] = useState<() => void>();
  const isEditing = form !== undefined || doomed !== undefined;
  const tellEditing = useEffectEvent((now: boolean) => onEditing?.(now));
  useEffect(() => tellEditing(isEditing), [isEditing]);
  // What is being sent may yet be refused.
  const isTouched =
    form !== undefined &&
    (isPending || JSON.stringify(form.values) !== JSON.stringify(form.initial));
  const unlessTouched = (next: () => void) => (isTouched ? setAsked(() => next) : next());
  const open = (values: DamageValues, index?: number) => {
    setAsked(undefined);
    setForm({ key: index ?? 'new', index, initial: values, values });
    setSelected(values.position);
  };
  const close = () => {
    setAsked(undefined);
    setForm(undefined);
    setSelected(undefined);
    // Where somebody who works with the keyboard came from.
    box.current
      ?.querySelector<SVGElement>(`[data-position="${form?.values.position}"]`)
      ?.focus({ preventScroll: true });
  };
  const change = (values: DamageValues) => {
    // What is being sent is closed with the answer.
    if (!form || isPending) return;
    setForm({ ...form, values });
    setSelected(values.position);
  };
  const select = (position: DamagePosition) => {
    if (isTouched) change({ ...form.values, position });
    else open(newDamage(position));
  };
  const submit = () => {
    const damage = form && damageOf(form.values, names);
    if (!damage) return;
    const { index } = form;
    onChange(index === undefined ? [...damages, damage] : damages.with(index, damage), close);
  };
  const openAt = (index: number) => {
    const damage = damages[index];
    if (!damage) return;
    if (mayEdit) unlessTouched(() => open(damageValuesOf(damage, names), index));
    else setSelected(damage.position);
  };
  const deleteDamage = (index: number) => {
    const opened = form?.index;
    onChange(damages.toSpliced(index, 1), (version) => {
      // Of another version, the form is met when it is saved.
      if (version === 'other' || opened === undefined) return;
      if (opened === index) close();
      if (opened > index) setForm((current) => current && { ...current, index: opened - 1 });
    });
  };
  const toggleRepaired = (index: number) => {
    const damage = damages[index];
    if (damage) onChange(damages.with(index, { ...damage, repaired: !damage.repaired }));
  };
  return (
    <Panel
      title={texts.damages}
      count={damages.length}
      actions={
        mayEdit && (
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => unlessTouched(() => open(newDamage()))}
          >
            {texts.addDamage}
          </Button>
        )
      }
    >
      <div ref={box} className={classes.damagesBox}>
        <div className={classes.damagesPanel}>
          <AtlasPanel
            damages={damages}
            selected={selected}
            highlighted={highlighted}
            onHover={setPointed}
            {...(mayEdit && { onSelect: select })}
          />
          <div className={classes.damagesSide}>
            {form && (
              <DamageForm
                key={form.key}
                title={form.index === undefined ? texts.newDamage : texts.changeDamage}
                submit={form.index === undefined ? texts.saveNewDamage : texts.saveDamage}
                values={form.values}
                isPending={isPending}
                onChange={change}
                onSubmit={submit}
                onCancel={() => unlessTouched(close)}
                question={asked && { onKeep: () => setAsked(undefined), onDiscard: asked }}
              />
            )}
            {damages.length === 0 && !form && (
              <p className={classes.hint}>{mayEdit ? texts.noDamagesHint : texts.noDamages}</p>
            )}
            <DamageList
              damages={damages}
              pointed={pointed}
              selected={form?.index}
              onPoint={setHighlighted}
              onOpen={openAt}
              edit={
                mayEdit ? { isPending, onRepaired: toggleRepaired, onDelete: setDoomed } : undefined
              }
            />
            {mayEdit && damages.length > 0 && <p className={classes.hint}>{texts.atlasHint}</p>}
          </div>
        </div>
      </div>
      {isGuarded && <LeaveGuard hasChanges={() => isTouched} />}
      {doomed !== undefined && (
        <ConfirmDialog
          title={texts.deleteDamageTitle}
          text={texts.deleteDamageText(damages[doomed]?.title ?? '')}
          confirm={texts.deleteDamageAction}
          isPending={isPending}
          onConfirm={() => {
            deleteDamage(doomed);
            setDoomed(undefined);
          }}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Panel>
  );
}
