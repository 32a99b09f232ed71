import { frontView } from './front-view.ts';
import { interiorView } from './interior-view.ts';
import { rearView } from './rear-view.ts';
import { leftView, rightView } from './side-view.ts';
import { topView } from './top-view.ts';
import type { View, ViewName } from './view.ts';

export const views: Record<ViewName, View> = {
  front: frontView,
  rear: rearView,
  left: leftView,
  right: rightView,
  top: topView,
  interior: interiorView,
};
