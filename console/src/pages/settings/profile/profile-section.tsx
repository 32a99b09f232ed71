import { eTagOf } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
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
  return (
    <>
      <SectionHeader name="profile" />
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <ProfileForm key={eTagOf(data)} profile={data} onReload={() => void refetch()} />
      ) : (
        <Delayed>
          <Bone width="40%" />
        </Delayed>
      )}
    </>
  );
}
