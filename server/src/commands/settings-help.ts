import { Help } from 'commander';
import { listSettings } from '../config.ts';

/** The settings, in the way in which a command's options are listed. */
export function settingsHelp(): string {
  const settings = listSettings();
  const help = new Help();
  help.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, default: fallback, description }) => {
    const text = description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
    return help.formatItem(name, width, fallback ? `${text} (default: ${fallback})` : text, help);
  });
  return ['', 'Environment:', ...lines].join('\n');
}
