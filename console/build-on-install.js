import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

// An installation without development tools has no bundler, and serves a console that was built elsewhere or none.
const isInstalled = (name) => {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true;
    if (folder === dirname(folder)) return false;
  }
};

if (isInstalled('vite') && isInstalled('@vitejs/plugin-react')) {
  const { build } = await import('vite');
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' });
} else process.stdout.write('The console is not built: vite is not installed.\n');
