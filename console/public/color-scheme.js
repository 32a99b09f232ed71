// Before the first paint, so that a dark page does not begin white.
const chosen = localStorage.getItem('motorpool-color-scheme');
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
