import { expect, test } from 'vitest';
import { pictureBlob } from './picture-blob.ts';

test.each(['image/png', 'image/jpeg', 'image/webp', 'image/avif'])('%s stays one', (type) => {
  const picture = new Blob(['bytes'], { type });
  expect(pictureBlob(picture)).toBe(picture);
});

test.each(['image/svg+xml', 'text/html', 'application/xhtml+xml', 'image/png;x=text/html', ''])(
  'what is said to be "%s" is of no type, and has the same bytes',
  async (type) => {
    const made = pictureBlob(new Blob(['<svg/>'], { type }));
    expect(made.type).toBe('');
    expect(await made.text()).toBe('<svg/>');
  },
);
