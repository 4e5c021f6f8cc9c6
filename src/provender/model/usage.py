"""How far back an application can see what it has asked for, and in which steps."""

# The steps, in hours.
HOUR, DAY = 1, 24

DAYS_MAX = 400
HOURLY_DAYS_MAX = 7

# Without a first day, so many up to the last.
DAYS_USUAL = 30

# For how long rows are kept, by their step. A day's row has the day's first hour, and the oldest day that may be asked
# for is there as a whole.
KEPT_HOURS = {HOUR: 35 * DAY, DAY: (DAYS_MAX + 1) * DAY}
