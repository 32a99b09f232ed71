import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { AttachedFile } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { Bone, Delayed } from '../feedback/skeleton.tsx';
import { Icon } from '../icons/icon.tsx';
import { useFormats, useTexts } from '../texts/texts-provider.tsx';
import classes from './files.module.css';
import { saveBlob } from './save-blob.ts';
import { useObjectUrl } from './use-object-url.ts';
import { type Download, fileContent, isPdf, isPicture, usePdfPages } from './use-picture.ts';

type Props = { file: AttachedFile; download: Download; onClose(): void };

/** A file as it is: a picture, the pages of a PDF, or a text. */
export function FileDialog({ file, download, onClose }: Props) {
  const texts = useTexts();
  const formats = useFormats();
  const { data: content } = useQuery(fileContent(file, download));
  return (
    <Modal
      opened
      onClose={onClose}
      title={file.filename}
      size="xl"
      closeButtonProps={{ 'aria-label': texts.forms.close }}
    >
      <Stack gap="sm">
        {isPdf(file) ? (
          <PdfPages file={file} download={download} />
        ) : isPicture(file) ? (
          <Picture blob={content} name={file.filename} />
        ) : (
          <TextContent file={file} content={content} />
        )}
        {content && (
          <Group justify="space-between">
            <Text size="xs" c="dimmed">
              {formats.bytes(content.size)}
            </Text>
            <Button
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              onClick={() => saveBlob(file.filename, content)}
            >
              {texts.files.saveFile}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

function PdfPages({ file, download }: Omit<Props, 'onClose'>) {
  const { files: texts } = useTexts();
  const formats = useFormats();
  const { data, isError } = usePdfPages(file, download);
  if (isError) return <Text>{texts.unreadable}</Text>;
  if (!data)
    return (
      <Delayed>
        <Bone width="60%" />
      </Delayed>
    );
  const { pages, pageCount } = data;
  return (
    <>
      <div className={classes.pages}>
        {pages.map((page, index) => (
          <Picture
            // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name
            key={index}
            blob={page}
            name={texts.page(file.filename, formats.number(index + 1))}
          />
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {texts.pages(pages.length, formats.number(pages.length), formats.number(pageCount))}
      </Text>
    </>
  );
}

function Picture({ blob, name }: { blob: Blob | undefined; name: string }) {
  const url = useObjectUrl(blob);
  return url && <img src={url} alt={name} className={classes.picture} />;
}

function TextContent({ file, content }: { file: AttachedFile; content: Blob | undefined }) {
  const { data } = useQuery({
    queryKey: ['text', file.uuid],
    queryFn: () => (content as Blob).text(),
    enabled: content !== undefined,
  });
  return <pre className={classes.content}>{data}</pre>;
}
