import { Button, Group } from '@mantine/core';
import type { Incident, OcrSuggestion } from '@motorpool/client';
import { useMay } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import classes from './recognition-panel.module.css';

type Props = {
  suggestion: OcrSuggestion;
  incident: Incident;
  isPointed: boolean;
  isPending: boolean;
  onPoint(suggestion: OcrSuggestion | undefined): void;
  onDecide(decision: 'take' | 'leave'): void;
};

/** Those that the incident has no field for become a line of its notes. */
const ownFields = ['incidentTimestamp', 'location', 'cause', 'description'] as const;

export function SuggestionRow(props: Props) {
  const { suggestion, incident, isPointed, isPending, onPoint, onDecide } = props;
  const { incident: texts } = useTexts();
  const formats = useFormats();
  const mayEdit = useMay('editor');
  const { field, value, confidence, decision } = suggestion;
  const shown = (text: string) => (field === 'incidentTimestamp' ? formats.time(text) : text);
  const own = ownFields.find((one) => one === field);
  const current = own && incident[own];
  const isFilled = current !== undefined && current !== '' && current !== value;
  const label = texts.suggestedFields[field];
  return (
    <li
      className={classes.suggestion}
      data-pointed={isPointed || undefined}
      onPointerEnter={() => onPoint(suggestion)}
      onPointerLeave={() => onPoint(undefined)}
      onFocus={() => onPoint(suggestion)}
      onBlur={() => onPoint(undefined)}
    >
      <div className={classes.suggested}>
        <span className={classes.label}>{label}</span>
        <span className={classes.confidence} data-low={confidence < 0.7 || undefined}>
          {texts.sure(formats.percent(confidence * 100))}
        </span>
        <span className={classes.value}>{shown(value)}</span>
        {decision === 'open' && isFilled && (
          <span className={classes.current}>{texts.hasValue(shown(current))}</span>
        )}
        {decision === 'open' && current === value && (
          <span className={classes.current}>{texts.sameValue}</span>
        )}
        {decision === 'open' && !own && <span className={classes.current}>{texts.toNotes}</span>}
      </div>
      {decision === 'taken' ? (
        <StateBadge tone="good" icon="check" text={texts.taken} />
      ) : (
        <Group gap={6} wrap="nowrap">
          {decision === 'left' && <StateBadge tone="neutral" icon="minus" text={texts.left} />}
          {mayEdit && (
            <Button
              variant="light"
              disabled={isPending || isFilled}
              aria-label={texts.takeField(label)}
              onClick={() => onDecide('take')}
            >
              {texts.take}
            </Button>
          )}
          {mayEdit && decision === 'open' && (
            <Button
              variant="subtle"
              color="gray"
              disabled={isPending}
              aria-label={texts.leaveField(label)}
              onClick={() => onDecide('leave')}
            >
              {texts.leave}
            </Button>
          )}
        </Group>
      )}
    </li>
  );
}
