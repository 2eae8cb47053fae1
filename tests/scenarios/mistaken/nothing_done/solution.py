# %% extra
# I ran out of time, sorry
