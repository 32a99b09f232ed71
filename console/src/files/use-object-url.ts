import { useEffect, useState } from 'react';
import { pictureBlob } from './picture-blob.ts';

/** An address of a picture that is in memory. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(pictureBlob(blob));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
