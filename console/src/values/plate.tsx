import { Bone, Delayed } from '../feedback/skeleton.tsx';

/** The plate of a vehicle, and room for it until it is known. */
export function Plate({ plate }: { plate: string | undefined }) {
  return (
    plate ?? (
      <Delayed>
        <Bone width={80} />
      </Delayed>
    )
  );
}
