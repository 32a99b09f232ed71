import type { AttachedFile } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from '../../files/use-object-url.ts';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';

const picture = /\.(png|jpe?g|gif|webp|avif|bmp)$/i;

const isPicture = ({ filename }: Pick<AttachedFile, 'filename'>): boolean => picture.test(filename);

/** The address of a picture, whose bytes need a token; undefined until they are there. */
export function usePictureUrl(
  vehicleId: string,
  incidentId: string,
  file: { uuid: string; filename: string; uploaded: boolean },
): string | undefined {
  const fleet = useFleet();
  const { data } = useQuery({
    queryKey: queryKey('file', 'content', file.uuid),
    queryFn: async ({ signal }) =>
      (await fleet.incidents.downloadFile(vehicleId, incidentId, file.uuid, { signal })).blob(),
    enabled: file.uploaded && isPicture(file),
    // Hardly any file is uploaded twice: events of other files are no reason to load it again.
    staleTime: 'static',
  });
  return useObjectUrl(data);
}
