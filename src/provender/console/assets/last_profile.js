// The profile that was looked at last in this tab, so that a food that is found can be added to its diary.

const key = () => `profile of ${document.documentElement.dataset.application}`;

export function rememberProfile(reference) {
  sessionStorage.setItem(key(), reference);
}

export function lastProfile() {
  return sessionStorage.getItem(key());
}
