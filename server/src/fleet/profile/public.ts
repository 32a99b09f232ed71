export { futureIssues, readCalendar, todayOf } from './calendar.ts';
export type { Profile } from './profile.ts';
export { providersThatErasePositions, readProfile } from './profile-store.ts';
