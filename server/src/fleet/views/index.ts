import type { Module } from '../module.ts';
import { createSavedView } from './create-saved-view.ts';
import { deleteSavedView } from './delete-saved-view.ts';
import { seedViews } from './demo/seed-views.ts';
import { getSavedView } from './get-saved-view.ts';
import { findSavedViews, listSavedViews } from './list-saved-views.ts';
import { putSavedView } from './put-saved-view.ts';
import { viewEvents } from './view-events.ts';

/** Views of the vehicles that the people of a provider share. */
export const views: Module = {
  name: 'views',
  operations: [
    listSavedViews,
    findSavedViews,
    createSavedView,
    getSavedView,
    putSavedView,
    deleteSavedView,
  ],
  recordEvents: [viewEvents],
  demo: seedViews,
};
