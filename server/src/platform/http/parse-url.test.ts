import { expect, test, vi } from 'vitest';
import { parseUrl } from './parse-url.ts';

test.each([
  'https://app.example.com:8443/signed-in?a=%41#b',
  'http://[::1]:3000/',
  'https://xn--mnchen-3ya.de/M%C3%BCnchen/ä?ö=ü',
  'https://münchen.de:8443/',
  'https://m%C3%BCnchen.de/',
  `https://example.com/${'ä'.repeat(10_000)}`,
  'https:/\\example.com',
])('%j is parsed', (text) => {
  expect(parseUrl(text)?.href).toBe(URL.parse(text)?.href);
});

const hosts = ['a'.repeat(301), 'ü'.repeat(101), '%C3%BC'.repeat(17), '一'.repeat(2_000)];
test.each(
  hosts.flatMap((host) => [
    `https://${host}/`,
    `https:${host}`,
    `\thttps:/\n\\/${host}`,
    `https://user@${host}:443?a`,
  ]),
)('a host that takes long to be parsed is none: %j', (text) => {
  const parse = vi.spyOn(URL, 'parse');
  expect(parseUrl(text)).toBeNull();
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
