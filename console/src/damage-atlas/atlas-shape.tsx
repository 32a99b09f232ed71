import { memo } from 'react';
import type { Shape } from './view.ts';

/** What is drawn for the eye alone. */
export const AtlasShape = memo(function AtlasShape(props: {
  shape: Shape;
  fill: string | undefined;
}) {
  const { shape, fill } = props;
  return <path className={`atlas-${shape.finish}`} fill={fill} d={shape.path} />;
});
