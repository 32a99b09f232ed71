import chromium from '@sparticuz/chromium';

/** Unpacks the Chromium of the package into the folder of temporary files, and prints its path. */
process.stdout.write(await chromium.executablePath());
