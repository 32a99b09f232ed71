import type { Module } from '../module.ts';
import { deleteVehicleImage } from './delete-vehicle-image.ts';
import { seedImages } from './demo/seed-images.ts';
import { getVehicleImage } from './get-vehicle-image.ts';
import { patchVehicleAsset } from './patch-vehicle-asset.ts';
import { putVehicleImage } from './put-vehicle-image.ts';
import { refreshAssetsJob } from './refresh-assets.ts';

export const assets: Module = {
  name: 'assets',
  tag: {
    name: 'Assets',
    description: 'The images of vehicles, and whether vehicles are in service.',
  },
  operations: [putVehicleImage, getVehicleImage, deleteVehicleImage, patchVehicleAsset],
  jobs: [refreshAssetsJob],
  demo: seedImages,
};
