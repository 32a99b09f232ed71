import { eTagOf, type Profile } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../../feedback/problem.tsx';
import { Bone, Delayed } from '../../../feedback/skeleton.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { SectionHeader } from '../section-header.tsx';
import { ProfileForm } from './profile-form.tsx';

export function ProfileSection() {
  const fleet = useFleet();
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('profile', 'one'),
    queryFn: ({ signal }) => fleet.profile.get({ signal }),
  });
  // What somebody else saves while this is changed is met when it is saved.
  const [pinned, setPinned] = useState<Profile>();
  const base = pinned ?? data;
  return (
    <>
      <SectionHeader name="profile" />
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : base ? (
        <ProfileForm
          key={eTagOf(base)}
          profile={base}
          onDirty={(isDirty) => setPinned(isDirty ? data : undefined)}
          onReload={() => {
            setPinned(undefined);
            void refetch();
          }}
        />
      ) : (
        <Delayed>
          <Bone width="40%" />
        </Delayed>
      )}
    </>
  );
}
