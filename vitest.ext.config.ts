import { defineConfig, mergeConfig } from 'vitest/config';
import base from '/work/main/vitest.config.ts';
export default mergeConfig(base, defineConfig({ test: { root: '/work/main', server: { deps: { external: [/\/server\/src\/(?!.*\.(faults|test|browser)\.ts)/] } } } }));
