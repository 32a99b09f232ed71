import type { AttachedFile } from '@motorpool/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryKey } from '../fleet/queries.ts';
import { useObjectUrl } from './use-object-url.ts';

export type Download = (uuid: string, signal?: AbortSignal) => Promise<Response>;

const picture = /\.(png|jpe?g|gif|webp|avif|bmp)$/i;
const pdf = /\.pdf$/i;
const mostPages = 30;

type Named = Pick<AttachedFile, 'filename'>;
export const isPicture = ({ filename }: Named): boolean => picture.test(filename);
export const isPdf = ({ filename }: Named): boolean => pdf.test(filename);

// A file that cannot be read, or whose download is cut short, is shown as one: the page has more than it.
const notThrown = { throwOnError: false };

/** The bytes of a file, which need a token. Hardly any is uploaded twice: events of others are no reason to load it again. */
export const fileContent = ({ uuid }: Pick<AttachedFile, 'uuid'>, download: Download) =>
  queryOptions({
    queryKey: queryKey('file', 'content', uuid),
    queryFn: async ({ signal }) => (await download(uuid, signal)).blob(),
    staleTime: 'static',
    ...notThrown,
  });

/** The address of a picture, or of the first page of a PDF; undefined until it is there. */
export function usePicture(file: AttachedFile, download: Download): string | undefined {
  const { data: content } = useQuery({
    ...fileContent(file, download),
    enabled: file.uploaded && (isPicture(file) || isPdf(file)),
  });
  const { data: page } = useQuery({
    ...pdfPages(file, content, 1),
    enabled: content !== undefined && isPdf(file),
  });
  return useObjectUrl(isPdf(file) ? page?.pages[0] : content);
}

/** All pages of a PDF, but for those of a very long one. */
export const usePdfPages = (file: AttachedFile, download: Download) => {
  const { data: content } = useQuery(fileContent(file, download));
  return useQuery({ ...pdfPages(file, content, mostPages), enabled: content !== undefined });
};

/** The library is loaded with the first PDF. */
const pdfPages = (file: AttachedFile, content: Blob | undefined, most: number) =>
  queryOptions({
    queryKey: queryKey('file', 'pages', file.uuid, most),
    queryFn: async () => {
      const { renderPdf } = await import('./render-pdf.ts');
      return renderPdf(content as Blob, most);
    },
    staleTime: 'static',
    // What is no PDF does not become one.
    retry: false,
    ...notThrown,
  });
