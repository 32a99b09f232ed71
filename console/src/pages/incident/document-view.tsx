import type { OcrDocument, OcrSuggestion } from '@motorpool/client';
import { isPicture, usePicture } from '../../files/use-picture.ts';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './recognition-panel.module.css';

type Props = {
  vehicleId: string;
  incidentId: string;
  document: OcrDocument;
  pointed: OcrSuggestion | undefined;
  onPoint(suggestion: OcrSuggestion | undefined): void;
};

/** The picture with its places, or the text that was read where it is none. */
export function DocumentView({ vehicleId, incidentId, document, pointed, onPoint }: Props) {
  const { blobUuid: uuid, filename, suggestions } = document;
  const fleet = useFleet();
  const file = { uuid, filename, uploaded: isPicture({ filename }) };
  const url = usePicture(file, (id, signal) =>
    fleet.incidents.downloadFile(vehicleId, incidentId, id, signal ? { signal } : {}),
  );
  if (!url) return <DocumentText document={document} pointed={pointed} />;
  return (
    <div className={classes.picture}>
      <img src={url} alt={filename} />
      {suggestions.map((suggestion) => {
        const { x, y, width, height } = suggestion.box;
        const percent = (share: number) => `${share * 100}%`;
        return (
          <span
            key={suggestion.field}
            className={classes.box}
            data-pointed={suggestion.field === pointed?.field || undefined}
            style={{
              left: percent(x),
              top: percent(y),
              width: percent(width),
              height: percent(height),
            }}
            onPointerEnter={() => onPoint(suggestion)}
            onPointerLeave={() => onPoint(undefined)}
          />
        );
      })}
    </div>
  );
}

function DocumentText({ document, pointed }: Pick<Props, 'document' | 'pointed'>) {
  const { incident: texts } = useTexts();
  const page = pointed?.page ?? document.suggestions[0]?.page ?? 1;
  const text = document.pages[page - 1] ?? '';
  const at = pointed ? text.indexOf(pointed.value) : -1;
  const end = at + (pointed?.value.length ?? 0);
  return (
    <section
      className={classes.text}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 asks for it where content scrolls
      tabIndex={0}
      aria-label={texts.textOf(document.filename)}
    >
      {text === '' ? (
        texts.noText
      ) : at < 0 ? (
        text
      ) : (
        <>
          {text.slice(0, at)}
          <mark>{text.slice(at, end)}</mark>
          {text.slice(end)}
        </>
      )}
    </section>
  );
}
