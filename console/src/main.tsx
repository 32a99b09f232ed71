import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './theme/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { start } from './start.ts';
import { currentLanguage } from './texts/languages.ts';
import { loadTexts } from './texts/texts.ts';

const language = currentLanguage();
document.documentElement.lang = language;
const [begun, texts] = await Promise.all([start(), loadTexts(language)]);
const root = document.getElementById('root');
if (root) createRoot(root).render(<App start={begun} initial={{ language, texts }} />);
