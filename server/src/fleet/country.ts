const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether the code has a name in ISO 3166-1 and is not an alias of another, as UK is of GB. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code)) return false;
  return names.of(code) !== undefined && new Intl.Locale('und', { region: code }).region === code;
}
