import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { notifyProblem } from '../../feedback/notify.ts';
import { warnWhile } from '../../files/warn-while.ts';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { uploadIncidentFile } from './upload-incident-file.ts';

export type Upload = {
  id: string;
  name: string;
  size: number;
  sentBytes: number;
  cancel(): void;
};

/** Uploads files to an incident one after the other, and tells how far they are. */
export function useUploads(vehicleId: string, incidentId: string) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const queue = useRef(Promise.resolve());
  const change = (id: string, sentBytes: number) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, sentBytes } : one)));

  const send = async (id: string, file: File, signal: AbortSignal) => {
    try {
      signal.throwIfAborted();
      await uploadIncidentFile(fleet, vehicleId, incidentId, file, {
        signal,
        onUploadProgress: ({ sentBytes }) => change(id, sentBytes),
      });
    } catch (error) {
      if (!signal.aborted) notifyProblem(error, texts);
    }
    await queries.invalidateQueries({ queryKey: queryKey('incident') });
    setUploads((all) => all.filter((one) => one.id !== id));
  };

  const upload = (files: readonly File[]) => {
    for (const file of files) {
      const id = crypto.randomUUID();
      const ended = new AbortController();
      const { name, size } = file;
      setUploads((all) => [...all, { id, name, size, sentBytes: 0, cancel: () => ended.abort() }]);
      queue.current = queue.current.then(() => send(id, file, ended.signal));
      void warnWhile(queue.current);
    }
  };
  return { uploads, upload };
}
